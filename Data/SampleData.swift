/// The annotations that ship inside the program. See `README.md` beside this file for sources.
public enum SampleData {
  public static var cinemas: [UInt8] { PackageResources.cinemas_csv }
  public static var marts: [UInt8] { PackageResources.marts_csv }
  public static var deals: [UInt8] { PackageResources.deals_csv }
}
