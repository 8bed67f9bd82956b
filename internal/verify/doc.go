// Package verify proves a view right: it computes the view's query afresh over one epoch and compares the answer with the
// stored rows as multisets, in memory that does not grow with the view.
//
// The first pass adds up hashes of the rows of both sides by bucket. Only where the sums differ, a second pass collects
// the rows of as many buckets as fit, and tells them apart:
//
//	r, err := verify.Run(ctx, verify.Subject{Relation: rel, Plan: root, Reader: view, Ctx: c}, verify.Options{Shown: 100})
package verify
