using System.Runtime.CompilerServices;

namespace Polyjuice.Testing;

/// <summary>Parts of a whole, 0 to 1.</summary>
internal static class Share
{
    public static double Of(double value, [CallerArgumentExpression(nameof(value))] string? name = null)
    {
        if (value is >= 0 and <= 1) return value;
        throw new ArgumentOutOfRangeException(name, value, "A share is from 0 to 1.");
    }
}
