using System.Text.RegularExpressions;

namespace Polyjuice.Deploy.Tests;

/// <summary>What an image's recipe says.</summary>
public sealed partial class Dockerfile
{
    private readonly string _path;
    private readonly string? _target;

    // Of the stage that becomes the image, after those of the stages that it is made from.
    private readonly List<string> _lines = [];

    /// <summary>Reads it.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="program">The project that it builds.</param>
    /// <param name="target">The stage that becomes the image; the last one, if none is named.</param>
    public Dockerfile(string path, string program, string? target = null)
    {
        (_path, _target, Program) = (path, target, program);
        var stages = new List<(string Name, string Base, List<string> Lines)>();
        foreach (var line in Repository.Read(path).Split('\n'))
        {
            if (From().Match(line) is { Success: true } from)
                stages.Add((from.Groups[2].Value, from.Groups[1].Value, []));
            else if (stages.Count > 0) stages[^1].Lines.Add(line);
        }

        Add(target is null ? stages[^1] : stages.Single(stage => stage.Name == target));

        void Add((string Name, string Base, List<string> Lines) stage)
        {
            var copied = stage.Lines.Select(line => FromStage().Match(line)).Where(match => match.Success);
            foreach (var source in copied) Add(stages.Single(other => other.Name == source.Groups[1].Value));
            if (stages.FindIndex(other => other.Name == stage.Base) is >= 0 and var index) Add(stages[index]);
            else Base = stage.Base;
            _lines.AddRange(stage.Lines);
        }
    }

    /// <summary>The trainer's.</summary>
    public static Dockerfile Trainer { get; } = new(
        "deploy/Dockerfile.trainer", "src/Polyjuice.Cli/Polyjuice.Cli.csproj");

    /// <summary>Those of the silos, by what they serve.</summary>
    public static IReadOnlyDictionary<string, Dockerfile> Silos { get; } = new Dictionary<string, Dockerfile>
    {
        ["bank"] = new("deploy/Dockerfile", "samples/BankSilo/BankSilo.csproj"),
        ["smallbank"] = new("deploy/Dockerfile", "samples/SmallbankSilo/SmallbankSilo.csproj", "smallbank"),
        ["tpcc"] = new("deploy/Dockerfile", "samples/TpccSilo/TpccSilo.csproj", "tpcc"),
    };

    /// <summary>The project that it builds.</summary>
    public string Program { get; }

    /// <summary>The number of the user that the image runs as.</summary>
    public int User => int.Parse(Last("USER").Split(':')[0]);

    /// <summary>The ports that it names.</summary>
    public IEnumerable<int> Ports => Last("EXPOSE").Split(' ').Select(int.Parse);

    /// <summary>The image that the program runs on.</summary>
    public string Base { get; private set; } = "";

    /// <summary>What it starts.</summary>
    public string EntryPoint => Last("ENTRYPOINT");

    /// <summary>What is copied from the repository: files and folders.</summary>
    public IEnumerable<string> Copied =>
        _lines.Where(line => Copy().IsMatch(line)).SelectMany(line => line.Split(' ')[1..^1]);

    /// <summary>The projects that it names, for whatever.</summary>
    public IEnumerable<string> Commands => _lines.Where(line => line.StartsWith("RUN ", StringComparison.Ordinal));

    private string Last(string instruction) =>
        _lines.Last(line => line.StartsWith(instruction + " ", StringComparison.Ordinal))[(instruction.Length + 1)..]
            .Trim();

    [GeneratedRegex("^COPY [^-]")]
    private static partial Regex Copy();

    [GeneratedRegex(@"^FROM (\S+)(?: AS (\S+))?")]
    private static partial Regex From();

    [GeneratedRegex(@"^COPY --from=(\S+) ")]
    private static partial Regex FromStage();

    /// <inheritdoc/>
    public override string ToString() => $"{_path} {_target}";
}
