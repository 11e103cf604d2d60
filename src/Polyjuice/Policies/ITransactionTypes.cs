namespace Polyjuice.Policies;

/// <summary>
/// The transaction types that can be started where a process is: a host registers one as a service. A policy that names
/// others says nothing about any transaction there. Thread-safe.
/// </summary>
internal interface ITransactionTypes
{
    /// <summary>The types that are known by their names: not all that <see cref="Has"/> accepts.</summary>
    IReadOnlyCollection<string> Names { get; }

    /// <summary>Whether transactions of a type can be started; if that can't be known here, it is assumed.</summary>
    /// <param name="type">The type's name, as policy files write it.</param>
    bool Has(string type);
}
