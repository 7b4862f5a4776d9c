package plain

// Command is a row of the table, for people: the action, a short word for it or "", and whether it writes.
type Command struct {
	Action, Short string
	Writes        bool
}

// Commands lists the table in its order, which is that of the help.
func Commands() []Command {
	var list []Command
	for _, c := range commands() {
		list = append(list, Command{c.id, c.short, c.needs&mayWrite != 0})
	}
	return list
}
