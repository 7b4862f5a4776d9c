// Package rows has the forms in which stores keep values in the columns of their tables. It knows no database, except
// that check.go and check_log.go ask tables that all stores have, in words of SQL that all know.
package rows
