using System.Globalization;
using Polyjuice.Orleans.Benchmarks.Plain;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>What the command line asks for.</summary>
internal sealed class Settings
{
    /// <summary>Which commands there are, with what each measures unless it is told otherwise.</summary>
    private static readonly Dictionary<string, Dictionary<string, string>> s_commands = new(StringComparer.Ordinal)
    {
        ["run"] = [],
        ["grid"] = new()
        {
            ["engines"] = "orleans,orleans:20,orleans:100,orleans:500,occ,occ@rows,locking", ["workloads"] = "smallbank,multitransfer", ["theta"] = "0,0.6,0.9,0.99,1.2", ["clients"] = "16,64", ["silos"] = "1,2", ["storage-ms"] = "0,10",
            ["seconds"] = "3",
        },
        ["storage"] = new()
        {
            ["engines"] = "orleans,orleans:100,orleans:500,orleans:2000,occ,occ@rows,locking,locking@rows,ic3,ic3@rows", ["workloads"] = "multitransfer", ["theta"] = "0.99", ["clients"] = "512", ["storage-ms"] = "10", ["seconds"] = "10", ["rounds"] = "3",
        },
        ["plain"] = new() { ["engines"] = "plain,plain-beside", ["seconds"] = "0.1", ["rounds"] = "40", ["processes"] = "10" },
        ["plain-worker"] = [],
        ["table"] = [],
    };

    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal)
    {
        ["engines"] = "orleans,occ", ["workloads"] = "smallbank", ["theta"] = "0", ["clients"] = "64", ["silos"] = "1", ["storage-ms"] = "0", ["storage-format"] = BenchmarkCase.Json, ["seconds"] = "4", ["rounds"] = "1", ["accounts"] = "10000", ["partitions"] = "0",
        ["minutes"] = "600", ["json"] = "", ["calls"] = "client,grain,transactional", ["processes"] = "1",
    };

    private Settings(string command) => Command = command;

    public string Command { get; }

    public Arm[] Arms => [.. List("engines").Select(Arm.Parse)];

    /// <summary>Who makes plain calls.</summary>
    public IEnumerable<PlainShape> Shapes => List("calls").Select(name =>
        PlainShape.All.FirstOrDefault(shape => shape.Name == name) ?? throw new ArgumentException($"There are no calls by '{name}': {string.Join(", ", PlainShape.All.Select(shape => shape.Name))}."));

    public double Seconds => Number("seconds");

    public int Rounds => Whole("rounds");

    /// <summary>How many processes each arm of plain calls gets, one after the other.</summary>
    public int Processes => Whole("processes") is >= 2 and var processes ? processes : throw new ArgumentException("--processes is at least 2: what differs from process to process can't be told from one.");

    public TimeSpan Bound => TimeSpan.FromMinutes(Number("minutes"));

    public string? Json => _values["json"] is { Length: > 0 } path ? path : null;

    /// <summary>All cases that are asked for.</summary>
    public IEnumerable<BenchmarkCase> Cases =>
        from workload in List("workloads")
        from silos in Wholes("silos")
        from storage in Wholes("storage-ms")
        from format in List("storage-format")
        from clients in Wholes("clients")
        from theta in List("theta").Select(text => double.Parse(text, CultureInfo.InvariantCulture))
        select new BenchmarkCase(workload, theta, clients, silos, storage, Whole("accounts"), Whole("partitions") is > 0 and var partitions ? partitions : silos, Format(format));

    /// <summary>Reads a command line.</summary>
    /// <exception cref="ArgumentException">It asks for what there is not.</exception>
    public static Settings Parse(string[] arguments)
    {
        var hasCommand = arguments.Length > 0 && !arguments[0].StartsWith('-');
        var command = hasCommand ? arguments[0] : "run";
        if (!s_commands.TryGetValue(command, out var defaults)) throw new ArgumentException($"There is no command '{command}': {string.Join(", ", s_commands.Keys)}.");
        var settings = new Settings(command);
        foreach (var (name, value) in defaults) settings._values[name] = value;
        for (var i = hasCommand ? 1 : 0; i < arguments.Length; i += 2)
        {
            var name = arguments[i].TrimStart('-');
            if (!settings._values.ContainsKey(name)) throw new ArgumentException($"There is no option '{arguments[i]}': {string.Join(", ", settings._values.Keys.Select(known => "--" + known))}.");
            if (i + 1 == arguments.Length) throw new ArgumentException($"{arguments[i]} needs a value.");
            settings._values[name] = arguments[i + 1];
        }

        return settings;
    }

    private static string Format(string name) =>
        name is BenchmarkCase.Json or BenchmarkCase.Binary ? name : throw new ArgumentException($"There is no storage format '{name}': {BenchmarkCase.Json}, {BenchmarkCase.Binary}.");

    private string[] List(string name) => _values[name].Split(',');

    private IEnumerable<int> Wholes(string name) => List(name).Select(text => int.Parse(text, CultureInfo.InvariantCulture));

    private int Whole(string name) => int.Parse(_values[name], CultureInfo.InvariantCulture);

    private double Number(string name) => double.Parse(_values[name], CultureInfo.InvariantCulture);
}
