/// The sums of right answers that are known beforehand, for the four data sets that `gen.py` of the
/// issue makes with the GeoNames cities.
///
/// Source: the table "The right sums" in the issue's `bench/FORMAT.md`. Those for WGS 84 come from
/// its `truth.py`, brute force with Karney's geodesic; those for the plane (`bbox*`) and the sphere
/// (`rad*`) are what brute force and all sound engines print.
enum ReferenceSums {
  /// Returns the sum of a row.
  ///
  /// - Parameters:
  ///   - row: Its name, as of `Operation.rowName`.
  ///   - measure: What the peer measures by. The k-nearest rows are known for WGS 84 only.
  ///   - sha256: Of the data set.
  static func sum(row: String, measure: Measure, sha256: String) -> UInt64? {
    guard measure == .wgs84 || !row.hasPrefix("knn") else { return nil }
    return sums[String(sha256.prefix(8))]?[row]
  }

  /// By the first digits of the data set's SHA-256, then by row.
  private static let sums: [String: [String: UInt64]] = [
    // w1e5
    "b549d5df": [
      "knn1": 0x6be0_fecb_5c6b_b64e,
      "knn3": 0xf6f7_a951_3c6f_0552,
      "knn10": 0xa76b_1134_65bc_a99b,
      "knn100": 0x61fd_6ecc_84fb_8d1c,
      "knn10_cat3": 0x8eb0_6f12_bc46_7953,
      "knn10_rare": 0x07bb_4ca4_18ba_dc56,
      "rad300m_wgs84": 0xa96d_f65b_54fb_1207,
      "rad1km_wgs84": 0xace9_1e8e_98fb_7498,
      "rad5km_wgs84": 0x9fae_8c08_1bcf_617e,
      "bbox10": 0x5d78_8074_dbbd_9581,
      "bbox10_folded": 0x5d78_8074_dbbd_9581,
      "bbox100": 0x9621_186d_e111_54ba,
      "bbox100_folded": 0x9621_186d_e111_54ba,
      "bbox10000": 0x4f94_b5ed_52f8_b23c,
      "bbox10000_folded": 0xdf30_bde7_c31f_45f8,
      "rad300m": 0xe980_d075_b346_cb59,
      "rad1km": 0x1c4a_b71a_7137_7522,
      "rad5km": 0x7f19_a463_7f5c_1d12,
    ],
    // w1e6
    "918f258e": [
      "knn1": 0xedf9_2d4a_90b8_6798,
      "knn3": 0x2a60_0d5d_b7de_f4c7,
      "knn10": 0xb6d4_aea5_64eb_4278,
      "knn100": 0x800c_48fa_118a_ba1f,
      "knn10_cat3": 0x5987_c131_d46d_b99d,
      "knn10_rare": 0xb6d5_a53f_0170_6ee4,
      "rad300m_wgs84": 0xc6f5_9e10_74a8_e255,
      "rad1km_wgs84": 0x028a_63c0_a4a4_5aba,
      "rad5km_wgs84": 0x80c4_d945_463b_81a6,
      "bbox10": 0x52fe_c4ba_3577_bb53,
      "bbox10_folded": 0x52fe_c4ba_3577_bb53,
      "bbox100": 0xe392_0299_da74_49e6,
      "bbox100_folded": 0xe392_0299_da74_49e6,
      "bbox10000": 0x2e12_9780_de6d_2895,
      "bbox10000_folded": 0xa0b7_7d26_00d6_99f5,
      "rad300m": 0xb959_c24c_57c4_baf3,
      "rad1km": 0x6645_87c7_4ab3_9161,
      "rad5km": 0x3a9c_c1e5_7529_5f85,
    ],
    // w1e7
    "99807221": [
      "knn1": 0xa4ac_a17e_0a19_9313,
      "knn3": 0x1c07_759e_91b5_d496,
      "knn10": 0xe987_1477_beb3_08c3,
      "knn100": 0xcec7_74c8_b8ad_a093,
      "knn10_cat3": 0xc229_dd07_267d_fd47,
      "knn10_rare": 0x675b_044b_9491_2939,
      "rad300m_wgs84": 0xc61c_e577_48d0_a710,
      "rad1km_wgs84": 0x6ec4_eee8_6221_74f6,
      "rad5km_wgs84": 0x6f20_94c7_9fb8_4c63,
      "bbox10": 0x172d_9a97_9d08_4503,
      "bbox10_folded": 0x172d_9a97_9d08_4503,
      "bbox100": 0x8780_23f2_dba5_43b9,
      "bbox100_folded": 0x8780_23f2_dba5_43b9,
      "bbox10000": 0x9a34_4289_fb28_d03d,
      "bbox10000_folded": 0x9a34_4289_fb28_d03d,
    ],
    // kj1e6
    "d5dbdcbf": [
      "knn1": 0x813d_3465_589e_06f6,
      "knn3": 0x0c89_144f_c01e_5e70,
      "knn10": 0xad61_fe3d_2c2d_ba2f,
      "knn100": 0x71de_4ed9_9199_5748,
      "knn10_cat3": 0x2c43_4d7e_2061_c52c,
      "knn10_rare": 0x4bf5_f816_977e_20c6,
      "rad300m_wgs84": 0x2f40_3c49_8c42_19fc,
      "rad1km_wgs84": 0x304e_8dbd_5c02_b9f9,
      "rad5km_wgs84": 0x04d9_a348_f12c_3095,
    ],
  ]
}
