namespace Polyjuice.Embedded.Serialization;

/// <summary>Is told of the members that a generated codec carries, base classes' first.</summary>
public interface IMemberVisitor
{
    /// <summary>A member.</summary>
    /// <typeparam name="TMember">Its type.</typeparam>
    /// <param name="name">Its name.</param>
    /// <param name="get">Reads it from an instance; structs are boxed.</param>
    /// <param name="set">Sets it in an instance, even if it is private, read-only or init-only.</param>
    void Visit<TMember>(string name, Func<object, TMember> get, Action<object, TMember> set);
}
