using System.Text.RegularExpressions;

namespace Polyjuice.Deploy.Tests;

/// <summary>What the image's recipe says.</summary>
internal static partial class Dockerfile
{
    private static readonly string[] _lines = Repository.Read("deploy/Dockerfile").Split('\n');

    /// <summary>The number of the user that the image runs as.</summary>
    public static int User => int.Parse(Last("USER").Split(':')[0]);

    /// <summary>The ports that it names.</summary>
    public static IEnumerable<int> Ports => Last("EXPOSE").Split(' ').Select(int.Parse);

    /// <summary>What it starts.</summary>
    public static string EntryPoint => Last("ENTRYPOINT");

    /// <summary>What is copied from the repository: files and folders.</summary>
    public static IEnumerable<string> Copied => _lines.Where(line => Copy().IsMatch(line)).SelectMany(line => line.Split(' ')[1..^1]);

    /// <summary>The projects that it names, for whatever.</summary>
    public static IEnumerable<string> Commands => _lines.Where(line => line.StartsWith("RUN ", StringComparison.Ordinal));

    private static string Last(string instruction) => _lines.Last(line => line.StartsWith(instruction + " ", StringComparison.Ordinal))[(instruction.Length + 1)..].Trim();

    [GeneratedRegex("^COPY [^-]")]
    private static partial Regex Copy();
}
