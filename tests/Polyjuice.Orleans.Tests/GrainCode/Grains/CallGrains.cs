using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.GrainCode;

[GenerateSerializer]
public sealed class Basket
{
    [Id(0)]
    public List<string> Items { get; set; } = [];
}

public interface ICaller : IGrainWithStringKey
{
    /// <summary>
    /// Adds what it is given to another grain's basket, and changes its own list right after the call was made.
    /// </summary>
    Task<Basket> AddThenMutate(string other, Basket basket);

    Task<string> Relay(string other, string text);

    Task<string> Catch(string other);

    Task<int> Sum(string left, string right);

    Task<string?> RelayContext(string other);

    Task<string> OutOfTurn(string other);
}

public interface ICallee : IGrainWithStringKey
{
    Task<Basket> Add(Basket basket);

    Task<Basket> Get();

    Task<string> Echo(string text);

    Task<string> Throw(string text);

    Task<int> Number();

    Task<string?> Context(string key);

    [OneWay]
    Task Notify(string signal);

    [ResponseTimeout("00:00:00.050")]
    Task Late(string signal);

    Task UntilCancelled(string signal, CancellationToken cancellation);

    Task<object?> Anything(object? value);
}

[GenerateSerializer]
public sealed class CustomException(string message, Exception? inner = null) : Exception(message, inner);

public sealed class CallerGrain : Grain, ICaller
{
    public async Task<Basket> AddThenMutate(string other, Basket basket)
    {
        var call = GrainFactory.GetGrain<ICallee>(other).Add(basket);
        basket.Items.Add("late");
        var result = await call;
        result.Items.Add("mine");
        return await GrainFactory.GetGrain<ICallee>(other).Get();
    }

    public Task<string> Relay(string other, string text) => GrainFactory.GetGrain<ICallee>(other).Echo(text);

    public async Task<string> Catch(string other)
    {
        try
        {
            await GrainFactory.GetGrain<ICallee>(other).Throw("from afar");
            return "nothing";
        }
        catch (CustomException exception)
        {
            return $"{exception.Message}, because {exception.InnerException!.Message}";
        }
    }

    public async Task<int> Sum(string left, string right) =>
        (await Task.WhenAll(
            GrainFactory.GetGrain<ICallee>(left).Number(), GrainFactory.GetGrain<ICallee>(right).Number())).Sum();

    public async Task<string?> RelayContext(string other)
    {
        var callee = GrainFactory.GetGrain<ICallee>(other);
        var seen = await callee.Context("who");
        RequestContext.Set("who", "caller");
        return $"{seen} {await callee.Context("who")}";
    }

    public async Task<string> OutOfTurn(string other)
    {
        var callee = GrainFactory.GetGrain<ICallee>(other);
        await Task.Run(static () => { }).ConfigureAwait(false);
        return await callee.Echo("from the thread pool").ConfigureAwait(false);
    }
}

public sealed class CalleeGrain : Grain, ICallee
{
    private readonly Basket _basket = new();

    public Task<Basket> Add(Basket basket)
    {
        _basket.Items.AddRange(basket.Items);
        basket.Items.Add("callee's");
        return Task.FromResult(_basket);
    }

    public Task<Basket> Get() => Task.FromResult(_basket);

    public Task<string> Echo(string text) => Task.FromResult($"{this.GetPrimaryKeyString()}: {text}");

    public Task<string> Throw(string text) => throw new CustomException(text, new ArgumentException("it was asked to"));

    public async Task<int> Number()
    {
        await Task.Yield();
        return 21;
    }

    public Task<string?> Context(string key) => Task.FromResult((string?)RequestContext.Get(key));

    public Task Notify(string signal)
    {
        Signals.Set(signal);
        return Task.CompletedTask;
    }

    public Task Late(string signal) => Signals.WaitAsync(signal);

    public async Task UntilCancelled(string signal, CancellationToken cancellation)
    {
        var ended = new TaskCompletionSource();
        using var registration = cancellation.Register(() => ended.TrySetResult());
        Signals.Set(signal + " running");
        await ended.Task;
        Signals.Set(signal + " cancelled");
    }

    public Task<object?> Anything(object? value) => Task.FromResult(value);
}
