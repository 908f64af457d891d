// Before 1.81 Boost's MPL steps one past the ends of these enumerations, which clang 16 and later
// refuses. With a fixed underlying type the step is legal; values and names are Boost's own.
#pragma once

#include <boost/version.hpp>

#if BOOST_VERSION < 108100
#define BOOST_NUMERIC_CONVERSION_INT_FLOAT_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_SIGN_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_UDT_BUILTIN_MIXTURE_ENUM_FLC_12NOV2002_HPP
namespace boost {
namespace numeric {
enum int_float_mixture_enum : int {
  integral_to_integral,
  integral_to_float,
  float_to_integral,
  float_to_float
};
enum sign_mixture_enum : int {
  unsigned_to_unsigned,
  signed_to_signed,
  signed_to_unsigned,
  unsigned_to_signed
};
enum udt_builtin_mixture_enum : int {
  builtin_to_builtin,
  builtin_to_udt,
  udt_to_builtin,
  udt_to_udt
};
}  // namespace numeric
}  // namespace boost
#endif
