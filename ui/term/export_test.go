package term

// Indic are the scripts with syllables that terminals count differently, and Widest the cells of their widest one.
var (
	Indic  = indic
	Widest = 2*MaxMarks + 1
)
