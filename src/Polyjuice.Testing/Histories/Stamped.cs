using Orleans;

namespace Polyjuice.Testing;

/// <summary>What a recorded state is for the engine: the application's, and which write it comes from.</summary>
/// <typeparam name="T">The application's state.</typeparam>
[GenerateSerializer, Alias("Polyjuice.Testing.Stamped`1")]
internal sealed class Stamped<T> where T : class, new()
{
    /// <summary>The application's state.</summary>
    [Id(0)]
    public T Value { get; set; } = new();

    /// <summary>The number of the write that left it; 0 before the first one.</summary>
    [Id(1)]
    public long Stamp { get; set; }

    /// <summary>
    /// Who gave that number: what an earlier recording wrote counts as the initial state of this one.
    /// </summary>
    [Id(2)]
    public Guid Recording { get; set; }
}
