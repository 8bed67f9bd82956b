package backfill

import (
	"errors"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Standing is what the control state says of a job whose records are checked.
type Standing struct {
	Job      id.Job
	Created  bool        // all its scans have ended, and it was attached
	Arranges bool        // it is attached before its scans have ended
	AsOf     epoch.Epoch // of a job that is not attached
	Visible  epoch.Epoch
	// Generation of the owners of the ranges.
	Generation uint32
	Sums       Sums // of the records as the last commit has them; none for a job that is in step
}

// Finding is a record that is not as it should be.
type Finding struct {
	Vnode vnode.ID
	Err   *errs.Error
}

// Check reads the records of one input, which must tile vnodes (B4), and tells which of them break what can be seen from
// bytes alone: B3 to B7. The records that are sound are returned by vnode.
func Check(s Standing, input, vnodes int, load func(vnode.ID) ([]byte, bool, error)) (sound map[vnode.ID]*Record, found []Finding, err error) {
	return check(s, input, vnode.Assign(vnodes, 1)[0].IDs(), load)
}

func check(s Standing, input int, vnodes []vnode.ID, load func(vnode.ID) ([]byte, bool, error)) (sound map[vnode.ID]*Record, found []Finding, err error) {
	sound = map[vnode.ID]*Record{}
	for _, v := range vnodes {
		b, ok, err := load(v)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			found = append(found, Finding{v, errs.BackfillRecordMissing.New("vnode", v, "job", s.Job, "input", input)})
			continue
		}
		rec, err := DecodeRecord(b)
		if err != nil {
			found = append(found, Finding{v, refusal(s.Job, input, v, err)})
			continue
		}
		broken, how := s.breaks(rec)
		if broken == "" && s.Sums.disown(input, v, rec) {
			broken, how = "B2", "it is not the one that was written last"
		}
		if broken != "" {
			found = append(found, Finding{v, errs.BackfillRecordWrong.New("vnode", v, "job", s.Job, "invariant", broken, "how", how, "input", input)})
			continue
		}
		sound[v] = rec
	}
	return sound, found, nil
}

// breaks names the invariant that a record breaks, and how.
func (s Standing) breaks(r *Record) (invariant, how string) {
	switch {
	case r.Generation > s.Generation:
		return "B3", fmt.Sprintf("its owner is of generation %d, and the job of %d", r.Generation, s.Generation)
	case r.AsOf > r.Until && r.Until != 0:
		return "B5", fmt.Sprintf("as of epoch %d is after until %d", r.AsOf, r.Until)
	case max(r.AsOf, r.Until) > s.Visible:
		return "B5", fmt.Sprintf("epoch %d is after %d, which is the last one that there is", max(r.AsOf, r.Until), s.Visible)
	case !s.Created && !s.Arranges && r.Phase == Live:
		return "B6", "it is live, and the job has never been attached"
	case !s.Created && r.Phase != NotStarted && r.AsOf > s.AsOf:
		return "B1", fmt.Sprintf("it is as of epoch %d, and what it describes is as of %d", r.AsOf, s.AsOf)
	case s.Created && r.Phase < Replaying:
		return "B6", "its scan has not ended, and the job has been attached"
	}
	return "", ""
}

// refusal makes the error for a record that can not be read: which it is, and all that it says.
func refusal(j id.Job, input int, v vnode.ID, err error) *errs.Error {
	if u := (unfinished{}); errors.As(err, &u) {
		return errs.BackfillFormatOne.New("job", j, "vnode", v, "input", input, "table", u.Table, "fragment", u.Fragment,
			"actor", u.Actor, "position", fmt.Sprintf("%x", u.Position), "rows", u.Rows)
	}
	e, ok := errs.As(err)
	if !ok {
		e = errs.BackfillRecordCorrupt.New("what", err.Error())
	}
	return e.WithDetail("It is the record of vnode %d of input %d of job %d.", v, input, j)
}
