/// The tables of a store in PostgreSQL, in SQL that a database administrator can read and run.
///
/// Each step is applied once, in order, in a transaction of its own; `nearby.steps` says which have been.
public enum PostGISSchema {
  /// The steps, the first first.
  public static let steps: [String] = [first]

  private static let first = """
    -- Positions on the ground, and an index over a number and a position.
    CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public;
    CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

    -- What layers there are. Each is a table of its own in nearby_layers.
    CREATE SCHEMA nearby_layers;
    CREATE TABLE nearby.layers (
      name text COLLATE "C" PRIMARY KEY,
      -- The properties that annotations have or had: a condition may name them.
      fields text[] NOT NULL DEFAULT '{}',
      -- The kinds that annotations have or had.
      kinds text[] NOT NULL DEFAULT '{}',
      -- Whether some have or had no kind.
      has_unnamed boolean NOT NULL DEFAULT false,
      -- The sizes that shapes have or had: 0 for places, s for what reaches up to 4^s m from its place.
      sizes smallint[] NOT NULL DEFAULT '{0}'
    );

    -- Makes the table of a layer, with one partition for the whole Earth.
    CREATE FUNCTION nearby.add_layer(layer text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('CREATE TABLE nearby_layers.%I (
        -- Sorts as ids do: numbers by value, then texts by their bytes.
        rank bytea NOT NULL,
        id text COLLATE "C" NOT NULL,
        kind text COLLATE "C",
        -- Twelve characters of a geohash; nothing for what has no position.
        cell text COLLATE "C" NOT NULL,
        place geography(Point, 4326),
        size smallint NOT NULL,
        -- The whole annotation as a GeoJSON feature.
        feature text NOT NULL
      ) PARTITION BY RANGE (cell)', layer);
      EXECUTE format('CREATE TABLE nearby_layers.%I PARTITION OF nearby_layers.%I DEFAULT',
        layer || ' rest', layer);
      INSERT INTO nearby.layers (name) VALUES (layer);
    END $$;

    -- Makes the indexes of a layer, where it has none yet: after the first rows, which takes half the time.
    CREATE FUNCTION nearby.index_layer(layer text) RETURNS void LANGUAGE plpgsql
    SET maintenance_work_mem = '256MB' SET client_min_messages = error AS $$
    BEGIN
      EXECUTE format('CREATE UNIQUE INDEX IF NOT EXISTS %I ON nearby_layers.%I (rank, cell)',
        layer || ' id', layer);
      EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON nearby_layers.%I USING gist (place)
        WHERE size = 0', layer || ' place', layer);
      EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON nearby_layers.%I USING gist (size, place)
        WHERE size > 0', layer || ' shape', layer);
      EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON nearby_layers.%I
        USING gist ((place::geometry))', layer || ' box', layer);
    END $$;

    -- Keeps what lies in cells from one on, and before another, in a partition of its own:
    --   SELECT nearby.add_partition('shops', 'w', 'x');
    CREATE FUNCTION nearby.add_partition(layer text, first text, behind text) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('CREATE TABLE nearby_layers.%I (LIKE nearby_layers.%I INCLUDING ALL)',
        layer || ' ' || first, layer);
      EXECUTE format('WITH moved AS (DELETE FROM nearby_layers.%I
        WHERE cell >= $1 AND cell < $2 RETURNING *)
        INSERT INTO nearby_layers.%I SELECT * FROM moved', layer || ' rest', layer || ' ' || first)
        USING first, behind;
      EXECUTE format('ALTER TABLE nearby_layers.%I ATTACH PARTITION nearby_layers.%I
        FOR VALUES FROM (%L) TO (%L)', layer, layer || ' ' || first, first, behind);
    END $$;
    """
}
