using Orleans.Serialization;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A request's arguments as they came, kept for further attempts, because a body may change what it is given.
/// </summary>
internal sealed class RequestArguments
{
    private readonly DeepCopier _copier;
    private readonly object?[] _arguments;

    private RequestArguments(DeepCopier copier, object?[] arguments)
    {
        _copier = copier;
        _arguments = arguments;
    }

    /// <summary>As they came. Nobody changes them.</summary>
    public IReadOnlyList<object?> Values => _arguments;

    /// <summary>Copies a request's arguments.</summary>
    /// <returns><see langword="null"/> when no body could change them.</returns>
    public static RequestArguments? Keep(IInvokable request, TransactionalMethod method, DeepCopier copier)
    {
        if (!method.HasMutableArguments) return null;
        var arguments = new object?[request.GetArgumentCount()];
        for (var i = 0; i < arguments.Length; i++) arguments[i] = Copy(copier, request.GetArgument(i));
        return new(copier, arguments);
    }

    /// <summary>Gives a request what it came with.</summary>
    public void Restore(IInvokable request)
    {
        for (var i = 0; i < _arguments.Length; i++) request.SetArgument(i, Copy(_copier, _arguments[i])!);
    }

    private static object? Copy(DeepCopier copier, object? argument) =>
        argument is null or CancellationToken ? argument : copier.Copy(argument);
}
