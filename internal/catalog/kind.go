package catalog

// String is what SQL calls the kind.
func (k RelationKind) String() string {
	switch k {
	case KindTable:
		return "table"
	case KindView:
		return "view"
	case KindMaterializedView:
		return "materialized view"
	case KindIndex:
		return "index"
	case KindSource:
		return "source"
	case KindSink:
		return "sink"
	case KindSystem:
		return "system relation"
	case KindSubscription:
		return "subscription"
	}
	return "relation"
}
