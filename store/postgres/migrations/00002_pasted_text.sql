-- review.Doubt of flags, with pasted-text. The index has the ranks of the function before.
DROP INDEX item_open_doubt;
CREATE OR REPLACE FUNCTION doubt(flags bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN flags & 8192 <> 0 THEN 10 WHEN flags & 282888 <> 0 THEN 8 WHEN flags & 13339652 <> 0 THEN 6
        WHEN flags & 177 <> 0 THEN 4 WHEN flags & 3146306 <> 0 THEN 2 ELSE 0 END
        + CASE WHEN flags & (flags - 1) <> 0 THEN 1 ELSE 0 END
$$;
CREATE INDEX item_open_doubt ON item (doubt(flags), id) WHERE open;
