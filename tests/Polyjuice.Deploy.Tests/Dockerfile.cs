using System.Text.RegularExpressions;

namespace Polyjuice.Deploy.Tests;

/// <summary>What an image's recipe says.</summary>
/// <param name="path">Where it is.</param>
/// <param name="program">The project that it builds.</param>
public sealed partial class Dockerfile(string path, string program)
{
    private readonly string[] _lines = Repository.Read(path).Split('\n');

    /// <summary>The silos' image.</summary>
    public static Dockerfile Silo { get; } = new("deploy/Dockerfile", "samples/BankSilo/BankSilo.csproj");

    /// <summary>The trainer's.</summary>
    public static Dockerfile Trainer { get; } = new("deploy/Dockerfile.trainer", "src/Polyjuice.Cli/Polyjuice.Cli.csproj");

    /// <summary>The project that it builds.</summary>
    public string Program => program;

    /// <summary>The number of the user that the image runs as.</summary>
    public int User => int.Parse(Last("USER").Split(':')[0]);

    /// <summary>The ports that it names.</summary>
    public IEnumerable<int> Ports => Last("EXPOSE").Split(' ').Select(int.Parse);

    /// <summary>The image that the program runs on.</summary>
    public string Base => Last("FROM").Split(' ')[0];

    /// <summary>What it starts.</summary>
    public string EntryPoint => Last("ENTRYPOINT");

    /// <summary>What is copied from the repository: files and folders.</summary>
    public IEnumerable<string> Copied => _lines.Where(line => Copy().IsMatch(line)).SelectMany(line => line.Split(' ')[1..^1]);

    /// <summary>The projects that it names, for whatever.</summary>
    public IEnumerable<string> Commands => _lines.Where(line => line.StartsWith("RUN ", StringComparison.Ordinal));

    private string Last(string instruction) => _lines.Last(line => line.StartsWith(instruction + " ", StringComparison.Ordinal))[(instruction.Length + 1)..].Trim();

    [GeneratedRegex("^COPY [^-]")]
    private static partial Regex Copy();

    /// <inheritdoc/>
    public override string ToString() => path;
}
