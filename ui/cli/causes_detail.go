package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
)

// studyJSON is a cause as --detail --json prints it.
type studyJSON struct {
	causeJSON
	Samples []string  `json:"samples"`
	Fixes   []fixJSON `json:"fixes"`
}

// fixJSON is one way to decide all URLs of a cause. Why lists the reasons for it. Suggested marks the only way with
// reasons.
type fixJSON struct {
	Does      string           `json:"does"`
	Rules     []canon.Override `json:"rules,omitempty"`
	Command   string           `json:"command"`
	Why       []string         `json:"why,omitempty"`
	Suggested bool             `json:"suggested,omitempty"`
}

// printStudies prints each cause with samples and the ways to decide it.
func printStudies(ctx context.Context, w *printer, desk *review.Desk, causes []cause.Cause) error {
	for _, c := range causes {
		s, err := cause.Examine(ctx, desk, c)
		if err != nil {
			return err
		}
		data, err := studyData(s)
		if err != nil {
			return err
		}
		if w.json {
			w.data(data)
		} else {
			printStudy(w, s, data)
		}
	}
	return nil
}

func studyData(s *cause.Study) (studyJSON, error) {
	data := studyJSON{causeJSON: causeData(s.Cause), Samples: []string{}, Fixes: []fixJSON{}}
	for i := range s.Samples {
		data.Samples = append(data.Samples, cmp.Or(s.Samples[i].Canonical(), s.Samples[i].Original))
	}
	for _, r := range s.Fixes {
		command, err := fixCommand(s.Cause, r)
		if err != nil {
			return data, err
		}
		data.Fixes = append(data.Fixes, fixJSON{r.Title, r.Rules, command, r.Reasons, r.Recommended})
	}
	return data, nil
}

func printStudy(w io.Writer, s *cause.Study, data studyJSON) {
	fmt.Fprintf(w, "%d URLs, settles %d: %s\n", s.Cause.N, s.Cause.Sole, safe(causeText(s.Cause)))
	for _, u := range data.Samples {
		fmt.Fprintf(w, "      %s\n", safe(u))
	}
	for _, r := range data.Fixes {
		sign := " "
		if r.Suggested {
			sign = "*"
		}
		fmt.Fprintf(w, "    %s %s\n", sign, safe(r.Does))
		for _, why := range r.Why {
			fmt.Fprintf(w, "        because %s\n", safe(why))
		}
		fmt.Fprintf(w, "        %s\n", safe(r.Command))
	}
	fmt.Fprintln(w)
}

// fixCommand returns the command line for a fix.
func fixCommand(c cause.Cause, r cause.Fix) (string, error) {
	if len(r.Rules) > 0 {
		var commands []string
		for _, rule := range r.Rules {
			text, err := json.Marshal(rule)
			if err != nil {
				return "", err
			}
			commands = append(commands, "visto override add --rule "+shellQuote(string(text)))
		}
		return strings.Join(commands, " && "), nil
	}
	_, selects, _ := strings.Cut(listing(c), "list ")
	if r.Decision == review.Reject {
		return "visto reject " + selects + " --note REASON", nil
	}
	others := slices.DeleteFunc(codeNames(), func(name string) bool { return name == c.Flag.String() })
	return "visto approve " + selects + " --not-flag " + strings.Join(others, ","), nil
}
