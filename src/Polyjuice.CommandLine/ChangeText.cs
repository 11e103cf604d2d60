using System.Globalization;

namespace Polyjuice.CommandLine;

/// <summary>Changes of a figure as people read them.</summary>
internal static class ChangeText
{
    // The third part is for what rounds to nothing: without it, that is "-+0.0%" if it was a little less.
    private const string Format = "+0.0%;-0.0%;+0.0%";

    /// <summary>A share with its sign: "+12.3%", "-0.4%"; "+0.0%" if it rounds to nothing, from either side.</summary>
    /// <param name="share">The change, as a share.</param>
    public static string Of(double share) => share.ToString(Format, CultureInfo.InvariantCulture);

    /// <summary>The same with its standard error.</summary>
    /// <param name="share">The change, as a share.</param>
    /// <param name="error">Its standard error, as a share.</param>
    public static string With(double share, double error) =>
        string.Create(CultureInfo.InvariantCulture, $"{Of(share)} ±{error:0.0%}");
}
