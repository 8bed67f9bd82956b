package pgcatalog

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/types"
)

// zoneNames are the zones that tools offer; any name of the IANA database can be set.
var zoneNames = []string{
	"Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Anchorage", "America/Argentina/Buenos_Aires",
	"America/Bogota", "America/Chicago", "America/Denver", "America/Halifax", "America/Los_Angeles", "America/Mexico_City",
	"America/New_York", "America/Sao_Paulo", "America/Toronto", "Asia/Dhaka", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta",
	"Asia/Karachi", "Asia/Kolkata", "Asia/Manila", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Tehran", "Asia/Tokyo",
	"Atlantic/Reykjavik", "Australia/Adelaide", "Australia/Brisbane", "Australia/Perth", "Australia/Sydney", "Europe/Amsterdam",
	"Europe/Athens", "Europe/Berlin", "Europe/Dublin", "Europe/Helsinki", "Europe/Istanbul", "Europe/Kyiv", "Europe/Lisbon",
	"Europe/London", "Europe/Madrid", "Europe/Moscow", "Europe/Oslo", "Europe/Paris", "Europe/Prague", "Europe/Rome",
	"Europe/Stockholm", "Europe/Vienna", "Europe/Warsaw", "Europe/Zurich", "Pacific/Auckland", "Pacific/Honolulu", "UTC",
}

// zoneRows gives each zone's offset when the server started: there is no clock in here.
func zoneRows(s *scan) {
	for _, name := range zoneNames {
		loc, err := types.ParseZone(name)
		if err != nil {
			continue // a system without the zone database
		}
		at := s.info.Started.In(loc)
		abbrev, offset := at.Zone()
		s.add(row{"name": name, "abbrev": abbrev, "utc_offset": time.Duration(offset) * time.Second, "is_dst": at.IsDST()})
	}
}
