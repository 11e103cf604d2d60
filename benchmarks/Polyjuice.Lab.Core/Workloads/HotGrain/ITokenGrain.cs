using Orleans;

namespace Polyjuice.Lab.Workloads.HotGrain;

/// <summary>Holds tokens, and gives some to another grain.</summary>
public interface ITokenGrain : IGrainWithIntegerKey
{
    /// <summary>Gives tokens to another grain; what it holds may become negative.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Give(long to, long tokens);

    /// <summary>Takes tokens.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take(long tokens);

    /// <summary>Tokens held.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Count();
}

/// <summary>The plain twin of <see cref="ITokenGrain"/>.</summary>
public interface IPlainTokenGrain : IGrainWithIntegerKey
{
    /// <inheritdoc cref="ITokenGrain.Give"/>
    Task Give(long to, long tokens);

    /// <inheritdoc cref="ITokenGrain.Take"/>
    Task Take(long tokens);

    /// <inheritdoc cref="ITokenGrain.Count"/>
    Task<long> Count();
}
