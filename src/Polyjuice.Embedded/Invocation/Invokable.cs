using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Invocation;

/// <summary>
/// One call of one grain method: its arguments, how to make it, and its result. The source generator derives a class per
/// grain interface method. Not thread-safe.
/// </summary>
public abstract class Invokable
{
    /// <summary>What is known of the method; one instance per method.</summary>
    public abstract GrainMethodDescriptor Method { get; }

    /// <summary>The call's cancellation token parameter, when the method has one; not an argument on the wire.</summary>
    public CancellationToken CancellationToken { get; set; }

    /// <summary>Whether nothing that runs can change the arguments, so that a call can be made again without a copy from before.</summary>
    public virtual bool AreArgumentsImmutable => false;

    /// <summary>An argument of a method that is transactional or declares what it accesses.</summary>
    /// <param name="index">Its place among the method's parameters.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is none, it is the cancellation token, or the method is no such method.</exception>
    public virtual object? ArgumentAt(int index) => throw new ArgumentOutOfRangeException(nameof(index), index, $"{Method.PathElement.Name} has no such argument.");

    /// <summary>Writes the arguments for another silo.</summary>
    public abstract void WriteArguments(ref WireWriter writer);

    /// <summary>Reads what <see cref="WriteArguments"/> wrote.</summary>
    public abstract void ReadArguments(ref WireReader reader);

    /// <summary>Another call of the same method whose arguments share nothing mutable with this one's.</summary>
    public abstract Invokable Copy();

    /// <summary>Calls the method on a grain and keeps its result here. The arguments are handed over: copy first to call again.</summary>
    public abstract Task InvokeAsync(object target);

    /// <summary>Writes the result for another silo.</summary>
    public abstract void WriteResult(ref WireWriter writer);

    /// <summary>Reads what <see cref="WriteResult"/> wrote.</summary>
    public abstract void ReadResult(ref WireReader reader);

    /// <summary>Makes this call from where the caller's code runs, for who knows neither the method nor its result.</summary>
    internal abstract Task SendAsync(GrainReference target);

    /// <summary>Takes over a deep copy of the result of another call of the same method (an answer within one silo).</summary>
    public abstract void CopyResultFrom(Invokable other);
}

/// <summary>A call of a method that returns <c>Task&lt;TResult&gt;</c> or <c>ValueTask&lt;TResult&gt;</c> (or, with <see cref="Nothing"/>, no result).</summary>
/// <typeparam name="TResult">The result's type.</typeparam>
public abstract class Invokable<TResult> : Invokable
{
    /// <summary>The result, once there.</summary>
    public TResult Result { get; set; } = default!;

    /// <summary>How results are copied and written.</summary>
    protected abstract IValueCodec<TResult> ResultCodec { get; }

    /// <summary>Calls the method.</summary>
    protected abstract ValueTask<TResult> CallAsync(object target);

    /// <inheritdoc/>
    public sealed override Task InvokeAsync(object target)
    {
        var call = CallAsync(target);
        if (!call.IsCompletedSuccessfully) return Await(call);
        Result = call.Result;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public sealed override void WriteResult(ref WireWriter writer) => ResultCodec.Write(ref writer, Result);

    /// <inheritdoc/>
    public sealed override void ReadResult(ref WireReader reader) => Result = ResultCodec.Read(ref reader);

    /// <inheritdoc/>
    public sealed override void CopyResultFrom(Invokable other) => Result = ResultCodec.Copy(((Invokable<TResult>)other).Result);

    /// <inheritdoc/>
    internal sealed override Task SendAsync(GrainReference target) => target.Runtime.CallAsync(target, this);

    private async Task Await(ValueTask<TResult> call) => Result = await call;
}

/// <summary>The result of methods that have none.</summary>
public readonly struct Nothing
{
}
