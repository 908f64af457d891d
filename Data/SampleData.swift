internal import CNearbySampleData

/// The annotations that ship inside the program: the three CSV files beside this one, as bytes.
///
/// The bytes are part of the binary. Nothing is opened, copied or set up before the first of them
/// is read, so they cost a program that does not ask for them nothing. `README.md` beside this
/// file says where every column comes from, under which licence, and what is known to be wrong.
///
///     for file in SampleData.files {
///       print(file.name, file.bytes.count)  // cinemas.csv 3465, …
///     }
public enum SampleData {
  /// The 25 independent cinemas of Korea.
  public static var cinemas: File { File(name: "cinemas.csv", holding: sample_cinemas()) }

  /// Marts and large stores of Seoul that were in operation in June 2025.
  public static var marts: File { File(name: "marts.csv", holding: sample_marts()) }

  /// Coupons and voucher shops of Yaizu.
  public static var deals: File { File(name: "deals.csv", holding: sample_deals()) }

  /// All three, in the order cinemas, deals, marts; ids ascend through all of them, by their bytes.
  public static var files: [File] { [cinemas, deals, marts] }
}

extension SampleData {
  /// One CSV file inside the program.
  ///
  /// It is UTF-8 without a byte order mark, RFC 4180 with LF. Its header begins with `id`,
  /// `place_id`, `name`, `kind`, `latitude`, `longitude`, `opening_hours` and `address`, in that
  /// order; columns of its own follow.
  ///
  /// `@unchecked Sendable`, because nobody can write to what it points at.
  public struct File: @unchecked Sendable {
    /// The file's name in the `Data` folder, with its extension.
    public let name: String

    /// The file's content, never empty.
    ///
    /// It stays valid for as long as the program runs, so a slice of it may be kept.
    public let bytes: UnsafeBufferPointer<UInt8>

    fileprivate init(name: String, holding content: sample_bytes) {
      self.name = name
      bytes = UnsafeBufferPointer(start: content.start, count: content.count)
    }
  }
}
