using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// What is ambient while code runs for a grain call (or a client's transaction): one object in one <see cref="AsyncLocal{T}"/>,
/// immutable, so that it flows with awaits and a change is seen only further down.
/// </summary>
internal sealed class CallContext(Node? node, Activation? activation, CallFrame? frame, Dictionary<string, object?>? values)
{
    private static readonly AsyncLocal<CallContext?> s_current = new();

    /// <summary>The ambient one.</summary>
    public static CallContext? Current
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Where the code runs; <see langword="null"/> outside of silos and clients' transactions.</summary>
    public Node? Node { get; } = node;

    /// <summary>The activation that the code belongs to, if any.</summary>
    public Activation? Activation { get; } = activation;

    /// <summary>The transaction's frame, if any.</summary>
    public CallFrame? Frame { get; } = frame;

    /// <summary>The request context; never written to once it is here.</summary>
    public Dictionary<string, object?>? Values { get; } = values;

    /// <summary>The same with another request context.</summary>
    public static CallContext With(CallContext? context, Dictionary<string, object?>? values) =>
        new(context?.Node, context?.Activation, context?.Frame, values);
}
