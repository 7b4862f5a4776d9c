// Package rows has the forms in which stores keep values in the columns of their tables. It knows no database. Where it
// asks for rows or names their columns (check.go, log.go, item.go, result.go, occurrence.go, schedule.go), all stores
// have these tables, and the words of SQL are those that all know.
package rows
