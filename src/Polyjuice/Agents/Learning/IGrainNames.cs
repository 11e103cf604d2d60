namespace Polyjuice.Agents;

/// <summary>How a host writes the keys and names of grains. Thread-safe.</summary>
internal interface IGrainNames
{
    /// <summary>What stands behind a grain's type and a slash in its name, if its key is this.</summary>
    string KeyOf(long key);

    /// <inheritdoc cref="KeyOf(long)"/>
    string KeyOf(Guid key);

    /// <summary>
    /// The name of the grain that a reference leads to, as in <see cref="Contracts.ParticipantKey.Grain"/>;
    /// <see langword="null"/> for what is no reference to a grain.
    /// </summary>
    string? NameOf(object reference);
}
