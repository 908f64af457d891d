// One import for apps: positions, CRSs, the index, the gate, fences, opening hours, annotations,
// search, GeoJSON and clusters. It fetches nothing and needs no library; the innermost loops of the
// index are C of its own (CNearbyKernels).

@_exported import BusinessHours
@_exported import GeoJSONCoding
@_exported import Geodesy
@_exported import Geofencing
@_exported import LocationFiltering
@_exported import MapAnnotations
@_exported import MapProjections
@_exported import NearbySearch
@_exported import SpatialIndexing
@_exported import ViewportClustering
