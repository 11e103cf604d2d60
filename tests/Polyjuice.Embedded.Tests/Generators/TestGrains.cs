using Orleans.Concurrency;
using Polyjuice.Embedded.Tests.Serialization;

namespace Polyjuice.Embedded.Tests.Generators;

internal interface IBaseGrain : IGrainWithStringKey
{
    Task Ping();
}

internal interface ITestGrain : IBaseGrain
{
    [Transaction(TransactionOption.CreateOrJoin, ReadOnly = true)]
    [AccessSite("audit")]
    Task<int> Balance();

    [Transaction(TransactionOption.Create)]
    [TransactionRetry(TransactionRetry.Never)]
    [ResponseTimeout("00:00:05")]
    Task<Account> Deposit(int amount, Account into, CancellationToken cancellation = default);

    ValueTask Touch(params int[] at);

    [AlwaysInterleave]
    [ReadOnly]
    ValueTask<string?> Name(string? @class, ITestGrain? other);

    [OneWay]
    void Forget(Colour colour);

    [OneWay]
    Task ForgetAgain([Immutable] List<int> shared, List<int> copied);

    Task Over(int a);

    Task Over(List<string> a);

    Task Keyword(int @int);
}
