using System.ComponentModel.DataAnnotations;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Orleans.Configuration;

/// <summary>How transactions run. Validated at start, with the option's name.</summary>
public sealed class PolyjuiceOptions
{
    /// <summary>The name of the logs that transactions use when none are named: those that were added <c>AsDefault</c>.</summary>
    public const string DefaultLogProvider = "Default";

    /// <summary>The policy in force at start, by the name of a built-in one or as a file's path. Default "occ".</summary>
    [Required]
    public string Policy { get; set; } = "occ";

    /// <summary>The policy in force at start, in place of <see cref="Policy"/>.</summary>
    public IPolicyCompiler? PolicyCompiler { get; set; }

    /// <summary>Which of the logs that were added to the host transactions use, by name. Default <see cref="DefaultLogProvider"/>; if none were added by that name, the host's own: here, what
    /// <see cref="Polyjuice.Embedded.EmbeddedClusterOptions.Data"/> says.</summary>
    [Required]
    public string LogProvider { get; set; } = DefaultLogProvider;

    /// <summary>The engines' bounds and intervals.</summary>
    public EngineOptions Engine { get; } = new();

    /// <summary>Where traces go from the start on; <see langword="null"/>, and so by default, records none. Each silo writes files of its own.</summary>
    public ITraceSink? TraceSink { get; set; }

    /// <summary>How traces are recorded.</summary>
    public TraceRecorderOptions Trace { get; } = new();
}
