// The only file that imports a platform's mathematics library. All other files call these
// functions, so the core builds wherever Swift does and needs no Foundation.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(WASILibc)
  import WASILibc
#elseif canImport(ucrt)
  import ucrt
#endif

/// The sine of an angle in radians.
@inline(__always) package func sine(_ radians: Double) -> Double { sin(radians) }

/// The cosine of an angle in radians.
@inline(__always) package func cosine(_ radians: Double) -> Double { cos(radians) }

/// The angle whose sine is `value`, in radians; `value` in −1…1.
@inline(__always) package func arcSine(_ value: Double) -> Double { asin(value) }

/// The angle whose tangent is `value`, in radians.
@inline(__always) package func arcTangent(_ value: Double) -> Double { atan(value) }

/// The angle of the point (x, y) as seen from the origin, in radians, −π…π.
@inline(__always) package func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }

/// The length of the hypotenuse of a right triangle, without overflow.
@inline(__always) package func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }

/// The hyperbolic sine.
@inline(__always) package func hyperbolicSine(_ value: Double) -> Double { sinh(value) }

/// The hyperbolic cosine.
@inline(__always) package func hyperbolicCosine(_ value: Double) -> Double { cosh(value) }

/// The number whose hyperbolic sine is `value`.
@inline(__always) package func areaHyperbolicSine(_ value: Double) -> Double { asinh(value) }

/// The number whose hyperbolic tangent is `value`; `value` in −1…1.
@inline(__always) package func areaHyperbolicTangent(_ value: Double) -> Double { atanh(value) }

/// Converts degrees to radians.
@inline(__always) package func radians(_ degrees: Double) -> Double { degrees * (Double.pi / 180) }

/// Converts radians to degrees.
@inline(__always) package func degrees(_ radians: Double) -> Double { radians * (180 / Double.pi) }
