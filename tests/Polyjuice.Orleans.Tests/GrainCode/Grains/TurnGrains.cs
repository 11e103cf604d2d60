using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.GrainCode;

public interface ITurns : IGrainWithStringKey
{
    /// <summary>Logs its start, waits for a signal if there is one, and logs its end.</summary>
    Task Work(string name, string? until);

    [AlwaysInterleave]
    Task Interleave(string name);

    [ReadOnly]
    Task Read(string name, string? until);

    [AlwaysInterleave]
    Task<List<string>> Log();

    Task CallBack(string other);
}

public abstract class TurnsBase : Grain
{
    private readonly List<string> _log = [];

    public async Task Work(string name, string? until)
    {
        _log.Add($"{name} starts");
        Signals.Set($"{this.GetPrimaryKeyString()} {name} runs");
        if (until is not null) await Signals.WaitAsync(until);
        _log.Add($"{name} ends");
    }

    public Task Interleave(string name) => Work(name, null);

    public Task Read(string name, string? until) => Work(name, until);

    public Task<List<string>> Log() => Task.FromResult(_log);

    public Task CallBack(string other) => Task.CompletedTask;
}

public sealed class OneAtATimeGrain : TurnsBase, ITurns;

[Reentrant]
public sealed class ReentrantGrain : TurnsBase, ITurns;
