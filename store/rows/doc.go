// Package rows has the forms in which stores keep values in the columns of their tables. It knows no database.
package rows
