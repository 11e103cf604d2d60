using System.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Cli.Commands;

/// <summary>Arguments and options that several commands share, and what they mean.</summary>
internal static class PolicyArguments
{
    /// <summary>A built-in policy's name or a file.</summary>
    public static Argument<string> Policy(string name = "policy") =>
        new(name) { Description = "The name of a built-in policy (see 'polyjuice policy list'), or a policy file." };

    /// <summary>Where the result goes.</summary>
    public static Option<string?> Out() =>
        new("--out", "-o") { Description = "Writes to this file instead of the console.", HelpName = "file" };

    /// <summary>One of the artifact's workloads.</summary>
    public static Option<string?> Workload(string description, bool required = false) =>
        new("--workload", "-w")
        {
            Description = $"{description} ({string.Join(", ", ArtifactWorkloads.Names)}).",
            HelpName = "workload",
            Required = required
        };

    /// <summary>The policy, spelled out over a workload if it has no catalogue of its own and one is named.</summary>
    public static PolicyDocument Load(string policy, string? workload)
    {
        var document = PolicySource.LoadDocument(policy).Document;
        if (workload is null) return document;
        var catalogue = ArtifactWorkloads.Get(workload);
        return document.Catalogue.Types.Count == 0
            ? document with { Catalogue = catalogue }
            : throw new ArgumentException($"{policy} has a catalogue of its own; leave --workload out.");
    }

    /// <summary>Writes a result.</summary>
    public static void Write(ParseResult parsed, string? file, string text)
    {
        if (file is null) parsed.InvocationConfiguration.Output.Write(text);
        else File.WriteAllText(file, text);
    }
}
