using Orleans.Concurrency;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.Tests.RealTime;

public interface IQueue : IGrainWithStringKey
{
    /// <summary>Holds the grain's turn until a signal.</summary>
    Task Hold(string signal);

    /// <summary>The silo that this runs on.</summary>
    Task<string> Where();

    /// <summary>Asks another grain.</summary>
    Task<string> Ask(string other);

    Task<string> HoldThenAsk(string signal, string other);

    [OneWay]
    Task Note(string signal);
}

public sealed class QueueGrain : Grain, IQueue
{
    public async Task Hold(string signal)
    {
        Signals.Set(signal + " entered");
        await Signals.WaitAsync(signal);
    }

    public Task<string> Where() => Task.FromResult(CallContext.Current!.Node!.Name);

    public Task<string> Ask(string other)
    {
        var answer = GrainFactory.GetGrain<IQueue>(other).Where();
        Signals.Set("asking " + other);
        return answer;
    }

    public async Task<string> HoldThenAsk(string signal, string other)
    {
        await Hold(signal);
        return await Ask(other);
    }

    public Task Note(string signal)
    {
        Signals.Set(signal);
        return Task.CompletedTask;
    }
}

public interface IMovingTeller : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    Task AddAfter(string account, string signal);
}

/// <summary>Its transaction's first attempt fails in a way that is retried, after a signal.</summary>
public sealed class MovingTellerGrain : Grain, IMovingTeller
{
    private static int s_attempts;

    public async Task AddAfter(string account, string signal)
    {
        await GrainFactory.GetGrain<IAccount>(account).AddJoined(1);
        if (Interlocked.Increment(ref s_attempts) > 1) return;
        Signals.Set(signal + " entered");
        await Signals.WaitAsync(signal);
    }
}
