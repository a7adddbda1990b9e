/// Small files of the zone formats that are read and not written, by the formats' names.
public enum ReadOnlyZoneSamples {
  public static let files: [String: String] = [
    "openair": """
    AC D
    AN One
    AH 8400 ft
    V X=39:29.7 N 119:46.5 W
    DC 5
    AC C
    AN Two
    V D=-
    DA 10, 270, 290
    DB 39:36.8 N 119:46.1W , 39:29.9 N 119:36.1W
    DP 39:20.0 N 119:30.0 W
    DY 39:20.0 N 119:30.0 W
    """,
    "gpx": """
    <gpx version="1.1"><wpt lat="47.5" lon="8.25"><name>Silo</name><type>Farm</type><extensions><g:Proximity>80</g:Proximity>
    </extensions></wpt><rte><name>Lane</name><rtept lat="47" lon="8"/><rtept lat="47.1" lon="8.1"/></rte></gpx>
    """,
    "csv": """
    name;latitude;longitude;radius_km
    Silo;47,5;8,25;0,5
    "Lane; end";47.5;8.5;1
    """,
    "traccar": """
    [{"id":7,"name":"Silo","area":"CIRCLE (47.5 8.25, 80.5)","attributes":{}},
    {"id":8,"name":"Field","area":"POLYGON ((47 8, 47 9, 48 9, 47 8), (47.1 8.5, 47.1 8.6, 47.2 8.6))"},
    {"id":9,"name":"Lane","area":"LINESTRING (47 8, 47.1 8.1)","attributes":{"polylineDistance":25}}]
    """,
    "homeassistant": """
    homeassistant:
      name: Farm
    zone:
      - name: "Silo" # the tall one
        latitude: 47.5
        longitude: 8.25
        radius: 80
        passive: true
      - name: Well
        latitude: 47
        longitude: 8
    """,
  ]
}
