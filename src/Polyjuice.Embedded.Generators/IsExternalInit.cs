// The compiler needs this type for records, and netstandard2.0 lacks it.
namespace System.Runtime.CompilerServices;

internal static class IsExternalInit
{
}
