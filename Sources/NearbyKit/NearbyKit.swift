// One import for apps: positions, CRSs, the index, the gate, fences, opening hours, annotations,
// search, clusters and GeoJSON. It fetches nothing and links no C.

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
