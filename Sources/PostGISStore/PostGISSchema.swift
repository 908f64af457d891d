/// The tables of a store in PostgreSQL, as SQL that a database administrator can read and run.
///
/// Each step is applied once, in order; `nearby.steps` lists the applied ones.
/// `PostGISStore.prepare()` applies the others in one transaction.
public enum PostGISSchema {
  /// A script for `psql` that creates all tables in a database without any of them.
  public static var script: String {
    let applied = steps.map {
      $0.sql + "\nINSERT INTO nearby.steps (number) VALUES (\($0.number));\n"
    }
    return "BEGIN;\n" + beginning + "\n\n" + applied.joined(separator: "\n") + "COMMIT;\n"
  }

  /// The SQL before any step.
  static let beginning = """
    CREATE SCHEMA IF NOT EXISTS nearby;
    CREATE TABLE IF NOT EXISTS nearby.steps (
      number integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());
    """

  /// The steps, in order; those before the fourth were never released, and are a part of it.
  public static let steps: [(number: Int, sql: String)] = [(4, fourth)]
  static var lastStep: Int { steps.last?.number ?? 0 }

  private static let fourth = """
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
      sizes smallint[] NOT NULL DEFAULT '{0}',
      -- What a program remembers of where a layer came from, as a JSON object.
      note text NOT NULL DEFAULT '{}'
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

    -- Makes the indexes of a table that holds rows here, where it has none yet. In the plane of longitude and latitude
    -- they are sorted, not filled row by row: that takes a quarter of the time of one on the ground.
    CREATE FUNCTION nearby.index_table(name text) RETURNS void LANGUAGE plpgsql
    SET maintenance_work_mem = '256MB' AS $$
    DECLARE part regclass := format('nearby_layers.%I', name);
    DECLARE by_id text;
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = part AND indisunique) THEN
        EXECUTE format('CREATE UNIQUE INDEX ON nearby_layers.%I (rank, cell)', name);
        -- Tells rows apart in logical replication, which moves a partition.
        SELECT relname INTO by_id FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = part;
        EXECUTE format('ALTER TABLE nearby_layers.%I REPLICA IDENTITY USING INDEX %I', name, by_id);
      END IF;
      IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = part AND indpred IS NOT NULL) THEN
        EXECUTE format('CREATE INDEX ON nearby_layers.%I USING gist ((place::geometry)) WHERE size = 0', name);
        EXECUTE format('CREATE INDEX ON nearby_layers.%I USING gist (size, (place::geometry)) WHERE size > 0', name);
      END IF;
    END $$;

    -- An index of the whole layer cannot be, where a partition is another server's: each table has its own.
    CREATE FUNCTION nearby.index_layer(layer text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE leaf name;
    BEGIN
      FOR leaf IN SELECT relname FROM pg_partition_tree(format('nearby_layers.%I', layer)::regclass)
        JOIN pg_class ON pg_class.oid = relid WHERE isleaf AND relkind = 'r'
      LOOP
        PERFORM nearby.index_table(leaf);
      END LOOP;
    END $$;

    -- Keeps what lies in cells from one on, and before another, in a partition of its own:
    --   SELECT nearby.add_partition('shops', 'w', 'x');
    CREATE FUNCTION nearby.add_partition(layer text, first text, behind text)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE part text := layer || ' ' || first;
    BEGIN
      PERFORM 1 FROM nearby.layers WHERE name = layer FOR UPDATE;
      EXECUTE format('CREATE TABLE nearby_layers.%I (LIKE nearby_layers.%I INCLUDING DEFAULTS)',
        part, layer);
      EXECUTE format('WITH moved AS (DELETE FROM nearby_layers.%I
        WHERE cell >= $1 AND cell < $2 RETURNING *)
        INSERT INTO nearby_layers.%I SELECT * FROM moved', layer || ' rest', part)
        USING first, behind;
      PERFORM nearby.index_table(part);
      EXECUTE format('ALTER TABLE nearby_layers.%I ATTACH PARTITION nearby_layers.%I
        FOR VALUES FROM (%L) TO (%L)', layer, part, first, behind);
    END $$;

    -- On the server that a partition is to move to: its table, still empty. Its name is that of the partition:
    --   SELECT nearby.add_table('shops w');
    CREATE FUNCTION nearby.add_table(name text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('CREATE TABLE nearby_layers.%I (
        rank bytea NOT NULL, id text COLLATE "C" NOT NULL, kind text COLLATE "C",
        cell text COLLATE "C" NOT NULL, place geography(Point, 4326), size smallint NOT NULL,
        feature text NOT NULL)', name);
      PERFORM nearby.index_table(name);
    END $$;

    -- Brings a partition back to this server; writers wait while its rows are copied, readers do not.
    --   SELECT nearby.take_partition('shops', 'w');
    CREATE FUNCTION nearby.take_partition(layer text, first text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE part text := layer || ' ' || first;
    DECLARE bound text;
    BEGIN
      PERFORM 1 FROM nearby.layers WHERE name = layer FOR UPDATE;
      bound := pg_get_expr(relpartbound, oid) FROM pg_class
        WHERE oid = format('nearby_layers.%I', part)::regclass;
      EXECUTE format('CREATE TABLE nearby_layers.%I (LIKE nearby_layers.%I INCLUDING DEFAULTS)',
        part || ' new', layer);
      EXECUTE format('INSERT INTO nearby_layers.%I SELECT * FROM nearby_layers.%I', part || ' new', part);
      EXECUTE format('DROP FOREIGN TABLE nearby_layers.%I', part);
      EXECUTE format('ALTER TABLE nearby_layers.%I RENAME TO %I', part || ' new', part);
      PERFORM nearby.index_table(part);
      EXECUTE format('ALTER TABLE nearby_layers.%I ATTACH PARTITION nearby_layers.%I %s',
        layer, part, bound);
    END $$;

    -- Has the table of the same name on another server take the place of a partition's table, which becomes
    -- "NAME old". Writers wait; with a slot of logical replication, until the other server has all of it. Without one,
    -- an error if it has not as many rows, of which readers wait for the count.
    --   SELECT nearby.move_partition('shops', 'w', 'seoul', 'shops_w');
    CREATE FUNCTION nearby.move_partition(layer text, first text, server text, slot text DEFAULT NULL)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE part text := layer || ' ' || first;
    DECLARE bound text;
    DECLARE written pg_lsn;
    DECLARE held bigint;
    DECLARE moved bigint;
    BEGIN
      PERFORM 1 FROM nearby.layers WHERE name = layer FOR UPDATE;
      bound := pg_get_expr(relpartbound, oid) FROM pg_class
        WHERE oid = format('nearby_layers.%I', part)::regclass;
      -- What writers have committed stands before this place.
      written := pg_current_wal_insert_lsn();
      WHILE slot IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pg_replication_slots
        WHERE slot_name = slot AND confirmed_flush_lsn >= written)
      LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = slot) THEN
          RAISE EXCEPTION 'there is no replication slot %', slot
            USING HINT = 'CREATE SUBSCRIPTION on the other server makes one of its name';
        END IF;
        PERFORM pg_sleep(0.05);
      END LOOP;
      IF slot IS NULL THEN
        EXECUTE format('SELECT count(*) FROM nearby_layers.%I', part) INTO held;
      END IF;
      EXECUTE format('ALTER TABLE nearby_layers.%I DETACH PARTITION nearby_layers.%I', layer, part);
      EXECUTE format('ALTER TABLE nearby_layers.%I RENAME TO %I', part, part || ' old');
      EXECUTE format('CREATE FOREIGN TABLE nearby_layers.%I PARTITION OF nearby_layers.%I %s
        SERVER %I OPTIONS (schema_name ''nearby_layers'', table_name %L)',
        part, layer, bound, server, part);
      IF held > 0 THEN
        EXECUTE format('SELECT count(*) FROM nearby_layers.%I', part) INTO moved;
        IF moved <> held THEN
          RAISE EXCEPTION 'server % has % of the % rows of "%"', server, moved, held, part
            USING HINT = 'copy them there first, or give the slot of a replication that does';
        END IF;
      END IF;
    END $$;
    """
}
