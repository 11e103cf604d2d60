namespace Polyjuice.Contracts;

/// <summary>What a host knows of grains, for access sets that methods declare. Thread-safe.</summary>
internal interface IGrainCatalogue
{
    /// <summary>
    /// The type of the keys of grains with an interface: <see cref="long"/>,
    /// <see cref="Guid"/> or <see cref="string"/>; <see langword="null"/> if
    /// they have another, such as a compound one, or it is no grain interface.
    /// </summary>
    /// <param name="grainInterface">Which interface.</param>
    Type? KeyOf(Type grainInterface);

    /// <summary>
    /// The grain classes that implement an interface here, each with the names of its transactional states.
    /// </summary>
    /// <param name="grainInterface">Which interface.</param>
    IEnumerable<(Type Class, IReadOnlyCollection<string> States)> ClassesOf(Type grainInterface);

    /// <summary>One access.</summary>
    /// <param name="grainInterface">Of grains that are named by keys.</param>
    /// <param name="grain">
    /// A key of the type that <see cref="KeyOf"/> says, a reference to
    /// a grain, or the host's own name for the grain that was called.
    /// </param>
    /// <param name="state">The state's name.</param>
    /// <param name="updates">Whether it is updated.</param>
    /// <returns><see langword="null"/> if the grain's class has no such state.</returns>
    DeclaredAccess? AccessTo(Type grainInterface, object grain, string state, bool updates);
}
