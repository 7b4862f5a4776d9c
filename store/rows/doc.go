// Package rows has the forms in which stores keep values in the columns of their tables. It knows no database, except
// that check.go, check_log.go and log.go speak to tables that all stores have, in words of SQL that all know.
package rows
