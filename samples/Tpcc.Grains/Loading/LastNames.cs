namespace Tpcc.Loading;

/// <summary>The standard's last names (clause 4.3.2.3).</summary>
public static class LastNames
{
    private static readonly string[] _syllables =
    [
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    ];

    /// <summary>A syllable for each of three digits: 371 is PRICALLYOUGHT.</summary>
    /// <param name="number">0 to 999.</param>
    public static string Of(int number) =>
        _syllables[number / 100] + _syllables[number / 10 % 10] + _syllables[number % 10];
}
