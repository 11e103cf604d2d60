using System.Collections.Concurrent;
using System.Reflection;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Calls;

/// <summary>What this host knows of one transactional grain interface method. Immutable; one for each method.</summary>
internal sealed class TransactionalMethod
{
    private static readonly ConcurrentDictionary<MethodInfo, TransactionalMethod> s_methods = new();

    private TransactionalMethod(MethodInfo method)
    {
        Element = new(
            $"{NameOf(method.DeclaringType!)}.{method.Name}",
            method.GetCustomAttribute<AccessSiteAttribute>()?.Label ?? "");
        IsRetryOff = method.GetCustomAttribute<TransactionRetryAttribute>()?.Retry == TransactionRetry.Never;
        AllowsReconnaissance = method.IsDefined(typeof(ReconnaissanceAttribute));
        DeclaresAccesses = method.IsDefined(typeof(DeclaredAccessAttribute));
        ResponseTimeout = method.GetCustomAttribute<ResponseTimeoutAttribute>()?.Timeout;
        HasMutableArguments = !method.GetParameters().All(parameter => IsImmutable(parameter.ParameterType));
    }

    /// <summary>As an element of caller paths: the interface's short name and the method's.</summary>
    public GrainMethod Element { get; }

    /// <summary>Whether <c>[TransactionRetry(Never)]</c> switches automatic retry off.</summary>
    public bool IsRetryOff { get; }

    /// <summary>
    /// Whether <c>[Reconnaissance]</c> allows that it is run dry; a silo may allow it for all
    /// (<see cref="EngineOptions.DryRunsByDefault"/>).
    /// </summary>
    public bool AllowsReconnaissance { get; }

    /// <summary>Whether attributes say what it accesses (<see cref="CallAccessSets"/>).</summary>
    public bool DeclaresAccesses { get; }

    /// <summary><c>[ResponseTimeout]</c>, or <see langword="null"/> for the silo's default.</summary>
    public TimeSpan? ResponseTimeout { get; }

    /// <summary>Whether a body may change its arguments, so that every attempt needs its own.</summary>
    public bool HasMutableArguments { get; }

    /// <summary>The method of a request.</summary>
    public static TransactionalMethod Of(IInvokable request) =>
        s_methods.GetOrAdd(request.GetMethod(), static method => new(method));

    // Without what a path element must not hold: generic interfaces are told apart by their arguments' names.
    private static string NameOf(Type type)
    {
        if (!type.IsGenericType) return type.Name;
        var name = type.Name.Split('`')[0];
        return $"{name}[{string.Join(',', type.GetGenericArguments().Select(NameOf))}]";
    }

    private static bool IsImmutable(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(decimal)
            || type == typeof(Guid) || type == typeof(DateTime)
                || type == typeof(DateTimeOffset) || type == typeof(TimeSpan) || type == typeof(CancellationToken)
                || typeof(IAddressable).IsAssignableFrom(type)
                || type.IsDefined(typeof(ImmutableAttribute), inherit: false);
    }
}
