using Orleans;

namespace TpccSilo.Grains;

/// <summary>
/// There is a database of another size, or of another seed. Thrown inside a transaction, it aborts the transaction.
/// </summary>
[GenerateSerializer]
public sealed class OtherDatabaseException : Exception
{
    public OtherDatabaseException(DatabaseTerms terms)
        : base($"There is a database of {terms.Size}, with the seed {terms.Seed}; it is not made again.")
    {
    }
}
