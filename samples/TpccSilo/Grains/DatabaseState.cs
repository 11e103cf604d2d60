using Orleans;

namespace TpccSilo.Grains;

/// <summary>The database's state.</summary>
[GenerateSerializer]
public sealed class DatabaseState
{
    /// <summary>As it was begun; <see langword="null"/> before that.</summary>
    [Id(0)]
    public DatabaseTerms? Terms { get; set; }

    /// <summary>How many calls of its load have been made.</summary>
    [Id(1)]
    public int Loaded { get; set; }
}
