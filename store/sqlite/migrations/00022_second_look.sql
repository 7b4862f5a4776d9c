-- NULL: the decision takes one person. Otherwise it is an approval that takes two, and confirms is the batch of the one
-- by another person that it confirms, 0 for the first of the two. It confirms nothing while that batch is undone.
ALTER TABLE decision ADD COLUMN confirms INTEGER;
ALTER TABLE staged_decision ADD COLUMN confirms INTEGER;

-- The batch of the proposed rules that a batch confirms, 0 for none.
ALTER TABLE batch ADD COLUMN confirms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX batch_confirms ON batch (confirms) WHERE confirms > 0;
CREATE INDEX batch_proposed ON batch (id) WHERE action = 'propose';
