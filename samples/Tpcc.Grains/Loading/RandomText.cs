using Tpcc.Schema;

namespace Tpcc.Loading;

/// <summary>The standard's random texts (clauses 4.3.2.2 and 4.3.2.7).</summary>
internal static class RandomText
{
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private const int OriginalPercent = 10;

    /// <summary>Letters and digits.</summary>
    public static string Alphanumeric(this SeededRandom random, int least, int most) =>
        random.Text(random.Between(least, most), Letters);

    /// <summary>Digits.</summary>
    public static string Digits(this SeededRandom random, int length) => random.Text(length, "0123456789");

    /// <summary>26 to 50 characters; in a tenth of all cases they contain the brand's word.</summary>
    public static string ItemData(this SeededRandom random)
    {
        var data = random.Alphanumeric(26, 50);
        if (random.Next(100) >= OriginalPercent) return data;
        var at = random.Next(data.Length - ItemRow.Original.Length + 1);
        return string.Concat(data.AsSpan(0, at), ItemRow.Original, data.AsSpan(at + ItemRow.Original.Length));
    }

    /// <summary>An address.</summary>
    public static Address Address(this SeededRandom random) => new()
    {
        Street1 = random.Alphanumeric(10, 20),
        Street2 = random.Alphanumeric(10, 20),
        City = random.Alphanumeric(10, 20),
        State = random.Text(2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        Zip = random.Digits(4) + "11111",
    };

    private static string Text(this SeededRandom random, int length, string from) =>
        string.Create(length, (random, from), static (text, source) =>
        {
            for (var i = 0; i < text.Length; i++) text[i] = source.from[source.random.Next(source.from.Length)];
        });
}
