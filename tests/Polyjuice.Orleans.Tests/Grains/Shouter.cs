using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Calls what can't take part in its transaction.</summary>
public interface IShouter : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task CallOneWay(long other);

    [Transaction(TransactionOption.Create)]
    Task CallBroken(long other);

    [OneWay, Transaction(TransactionOption.Join)]
    Task Hear();
}

public interface IBroken : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Hear();
}

[Reentrant]
public sealed class ShouterGrain : Grain, IShouter
{
    public Task CallOneWay(long other) => GrainFactory.GetGrain<IShouter>(other).Hear();

    public Task CallBroken(long other) => GrainFactory.GetGrain<IBroken>(other).Hear();

    public Task Hear() => Task.CompletedTask;
}

public sealed class BrokenGrain : Grain, IBroken
{
    private static int s_activations;

    public static int Activations => s_activations;

    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref s_activations);
        throw new InvalidOperationException("It can't be activated.");
    }

    public Task Hear() => Task.CompletedTask;
}
