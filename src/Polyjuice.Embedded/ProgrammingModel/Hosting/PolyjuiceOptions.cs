using System.ComponentModel.DataAnnotations;
using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Orleans.Configuration;

/// <summary>How transactions run. Validated at start, with the option's name.</summary>
public sealed class PolyjuiceOptions
{
    /// <summary>The policy in force at start, by the name of a built-in one or as a file's path. Default "occ".</summary>
    [Required]
    public string Policy { get; set; } = "occ";

    /// <summary>The policy in force at start, in place of <see cref="Policy"/>.</summary>
    public IPolicyCompiler? PolicyCompiler { get; set; }

    /// <summary>The engines' bounds and intervals.</summary>
    public EngineOptions Engine { get; } = new();
}
