import MapProjections
import SystemCalls

/// The functions of libproj, loaded when the first transform is made.
///
/// If linked, the library and the fifty it depends on would cost every start of a program 5 ms,
/// even if no position is ever transformed. Loaded on demand, they cost only programs that use
/// them, and neither the library nor its headers are needed to build. The types below are those of
/// `proj.h` of PROJ 6 to 9, which keeps them stable.
struct PROJLibrary: Sendable {
  typealias Object = OpaquePointer

  typealias Text = UnsafeMutablePointer<UnsafePointer<CChar>?>
  typealias Destroy = @Sendable @convention(c) (Object?) -> Object?
  typealias Release = @Sendable @convention(c) (Object?) -> Void
  typealias CreateFromText = @Sendable @convention(c) (Object?, UnsafePointer<CChar>?) -> Object?
  typealias TypeOf = @Sendable @convention(c) (Object?) -> CInt
  typealias SetOption = @Sendable @convention(c) (Object?, Object?, CInt) -> Void
  typealias ListItem = @Sendable @convention(c) (Object?, Object?, CInt) -> Object?
  typealias Identifier = @Sendable @convention(c) (Object?, CInt) -> UnsafePointer<CChar>?
  typealias Count = @Sendable @convention(c) (Object?, Object?) -> CInt

  let createContext: @Sendable @convention(c) () -> Object?
  let destroyContext: Destroy
  let log:
    @Sendable @convention(c) (
      Object?, UnsafeMutableRawPointer?,
      (@convention(c) (UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?) -> Void)?
    ) -> Void
  let enableNetwork: @Sendable @convention(c) (Object?, CInt) -> CInt
  let create: CreateFromText
  let createFromName:
    @Sendable @convention(c) (
      Object?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CInt>?, Int, CInt, Int,
      UnsafePointer<UnsafePointer<CChar>?>?
    ) -> Object?
  let destroy: Destroy
  let type: TypeOf
  let name: @Sendable @convention(c) (Object?) -> UnsafePointer<CChar>?
  let authority: Identifier
  let code: Identifier
  let createFactory: CreateFromText
  let destroyFactory: Release
  let setSpatialCriterion: SetOption
  let setGridUse: SetOption
  let createOperations: @Sendable @convention(c) (Object?, Object?, Object?, Object?) -> Object?
  let listCount: TypeOf
  let listItem: ListItem
  let destroyList: Release
  let gridCount: Count
  let isInstantiable: Count
  let hasBallpark: Count
  let accuracy: @Sendable @convention(c) (Object?, Object?) -> Double
  let stepCount: Count
  let step: ListItem
  let normalized: @Sendable @convention(c) (Object?, Object?) -> Object?
  let coordinateSystem: @Sendable @convention(c) (Object?, Object?) -> Object?
  let axis:
    @Sendable @convention(c) (
      Object?, Object?, CInt, Text?, Text?, Text?, UnsafeMutablePointer<Double>?, Text?, Text?,
      Text?
    ) -> CInt
  let areaOfUse:
    @Sendable @convention(c) (
      Object?, Object?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> CInt
  let transform:
    @Sendable @convention(c) (Object?, CInt, Int, UnsafeMutablePointer<Double>?) -> CInt

  /// The library; nil if it is not installed.
  static let shared = load(names)

  /// The first of several libraries that exists and has all the functions.
  static func load(_ names: [String]) -> PROJLibrary? {
    for name in names {
      guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      // Never closed: its objects live as long as the program.
      if let library = PROJLibrary(handle) { return library }
    }
    return nil
  }

  #if canImport(Darwin)
    /// The library inside an app, and Homebrew's.
    ///
    /// Apple's systems look for a bare name in the current folder as well, where anybody's file may
    /// be.
    private static let names = [
      "@rpath/libproj.dylib", "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib",
    ]
  #else
    /// The names of the library, newest version first.
    private static let names = ["libproj.so.25", "libproj.so.22", "libproj.so.19", "libproj.so"]
  #endif

  static let absence =
    "it is not built in, and the library PROJ, which may have it, is not installed; "
    + "install it: apt-get install libproj25, or brew install proj"

  private init?(_ handle: UnsafeMutableRawPointer) {
    var isComplete = true
    // The placeholder for a missing function is never called, because the library is then refused.
    func function<Function>(_ name: String, _: Function.Type = Function.self) -> Function {
      let address = dlsym(handle, name)
      if address == nil { isComplete = false }
      return unsafeBitCast(address ?? handle, to: Function.self)
    }
    createContext = function("proj_context_create")
    destroyContext = function("proj_context_destroy")
    log = function("proj_log_func")
    enableNetwork = function("proj_context_set_enable_network")
    create = function("proj_create")
    createFromName = function("proj_create_from_name")
    destroy = function("proj_destroy")
    type = function("proj_get_type")
    name = function("proj_get_name")
    authority = function("proj_get_id_auth_name")
    code = function("proj_get_id_code")
    createFactory = function("proj_create_operation_factory_context")
    destroyFactory = function("proj_operation_factory_context_destroy")
    setSpatialCriterion = function("proj_operation_factory_context_set_spatial_criterion")
    setGridUse = function("proj_operation_factory_context_set_grid_availability_use")
    createOperations = function("proj_create_operations")
    listCount = function("proj_list_get_count")
    listItem = function("proj_list_get")
    destroyList = function("proj_list_destroy")
    gridCount = function("proj_coordoperation_get_grid_used_count")
    isInstantiable = function("proj_coordoperation_is_instantiable")
    hasBallpark = function("proj_coordoperation_has_ballpark_transformation")
    accuracy = function("proj_coordoperation_get_accuracy")
    stepCount = function("proj_concatoperation_get_step_count")
    step = function("proj_concatoperation_get_step")
    normalized = function("proj_normalize_for_visualization")
    coordinateSystem = function("proj_crs_get_coordinate_system")
    axis = function("proj_cs_get_axis_info")
    areaOfUse = function("proj_get_area_of_use")
    transform = function("proj_trans_array")
    guard isComplete else { return nil }
  }
}
