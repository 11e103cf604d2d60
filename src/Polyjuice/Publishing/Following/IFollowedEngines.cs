using Polyjuice.Contracts;
using Polyjuice.Storage;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// The engines of a process that run under one <see cref="Policies.PolicyStore"/>, as its host knows them. Thread-safe.
/// </summary>
internal interface IFollowedEngines
{
    /// <summary>What the process is called where others hear of it: the silo's name.</summary>
    string Name { get; }

    /// <summary>Their counters, summed; <see langword="null"/> as long as there are none.</summary>
    EngineStatistics? Statistics { get; }

    /// <summary>
    /// What is kept beside their logs; <see langword="null"/> where these keep nothing, and as long as they are not
    /// open.
    /// </summary>
    ILogNotes? Notes => null;
}
